class OrderStatus(models.TextChoices):
    PAID = "paid", _("已支付")
    VOID = "void", "已作废"

STATUS = (
    ("draft", "草稿"),
    (SHIPPED, "已发货"),
)
LABELS = {
    "refunded": "已退款",
    CLOSED: "已关闭",
}

class Order(models.Model):
    """销售订单。"""

    order_no = models.CharField("订单编号", max_length=32)
    amount = models.DecimalField(
        max_digits=10,
        decimal_places=2,
        verbose_name="订单金额",
        help_text="含税，单位分",
    )
    buyer = fields.Many2one('res.partner', string='买方')

    class Meta:
        verbose_name = "销售订单"

    def cancel_order(self, reason):
        """取消订单，已支付的不能取消。

        :param reason: 取消原因
        """
        # 检查状态
        if self.paid:
            raise ValueError("已支付的订单不能取消")
        msg = "保存成功"
        return msg
