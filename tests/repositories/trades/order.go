// CancelOrder 取消订单
func (s *Service) CancelOrder(id int64) error {
type Order struct {
	OrderNo string `json:"order_no"` // 订单编号
	// 买家
	Buyer string
}
var names = map[Status]string{
	StatusPaid: "已支付",
}
