use std::fmt;

const LIMIT: u8 = 3;

/// An order.
#[derive(Debug)]
pub struct Order {
    id: u64,
}

pub enum Status {
    New,
    Paid,
}

pub trait Ordering {
    fn cancel(&self) -> bool;
    fn total(&self) -> u64 {
        1
    }
}

impl Ordering for Order {
    fn cancel(&self) -> bool {
        false
    }
}

type Orders = Vec<Order>;

macro_rules! order {
    () => {};
}

mod tests {
    fn inner() {}
}

pub async fn expire(order: &Order) -> Result<(), Error> {
    Ok(())
}
