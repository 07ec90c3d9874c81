    [Display(Name = "采购单")]
    public string PurchaseOrder { get; set; }
    /// <summary>
    /// 结算金额
    /// </summary>
    public decimal SettlementAmount { get; set; }
    [Description("待审核")]
    PendingReview = 1,
