"""An online shop: orders, payments, coupons, stock, shipping, notifications."""
