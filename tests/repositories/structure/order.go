package shop

import "errors"

const Limit = 3

var ErrPaid = errors.New("paid")

const (
	New Status = iota
	Paid
)

type Status int

type (
	Line struct {
		Sku string
	}
	Ordering interface {
		Cancel(id int64) error
	}
)

// Order is an order.
type Order struct {
	ID int64
}

// Cancel cancels an unpaid order.
func (o *Order) Cancel(reason string) error {
	if o.Paid {
		return ErrPaid
	}
	return nil
}

func Map[T any](in []T) []T {
	return in
}
