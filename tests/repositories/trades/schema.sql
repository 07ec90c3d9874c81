CREATE TABLE IF NOT EXISTS `wms_stocktake` (
  `id` bigint NOT NULL COMMENT '主键',
  `warehouse_id` bigint COMMENT '仓库编号',
  `diff_qty` int COMMENT '盘盈盘亏数量'
) ENGINE=InnoDB COMMENT='盘点单';
COMMENT ON COLUMN settlement.payee IS '收款人';
