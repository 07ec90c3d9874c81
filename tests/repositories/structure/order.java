package com.shop.order;

import java.util.List;

/** 订单服务 */
@Service
public class OrderService implements Ordering {
    private static final int LIMIT = 3;

    public OrderService(Gateway gateway) {
        this.gateway = gateway;
    }

    /** Cancels an unpaid order. */
    @Transactional
    public void cancel(long id) {
        Order order = orders.find(id);
        if (order.isPaid()) {
            throw new Refused("已支付的订单不能取消");
        }
        Runnable r = () -> { log(id); };
    }

    enum Status {
        NEW("新建"), PAID("已支付");
        private final String label;
        Status(String label) { this.label = label; }
        public String label() { return label; }
    }

    record Line(String sku, int count) {
        int total() { return count; }
    }

    interface Listener {
        void cancelled(long id);
    }
}
