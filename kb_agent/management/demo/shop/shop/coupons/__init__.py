"""Coupons and the rules for using them."""
