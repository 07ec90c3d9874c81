@ApiModel(value = "订单对象")
@TableName("t_order")
public class OrderDO extends BaseEntity {
    /** 订单编号 */
    private String orderNo;

    @ApiModelProperty(value = "收货地址", required = true)
    @NotBlank(message = "收货地址不能为空")
    private String shippingAddress;

    @Excel(name = "运费")
    private BigDecimal freight; 
    private Integer qty; // 数量

    /**
     * 作废订单
     * 只有未发货的可以
     * @param orderNo 订单编号
     */
    @Transactional
    public void voidOrder(String orderNo) {
        int x = 1; // 计数
        log.info("作废订单 {}", orderNo);
    }
    @Operation(summary = "导出对账单")
    @GetMapping("/export")
    public void exportStatement() {}
}
public enum PayChannel {
    WECHAT(1, "微信支付"), ALIPAY(2, "支付宝"),
    ;
}
