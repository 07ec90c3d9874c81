-- 订单
CREATE TABLE IF NOT EXISTS `shop`.`orders` (
  id BIGINT NOT NULL COMMENT '订单编号',
  status INT DEFAULT 0 COMMENT '状态;见 dict',
  PRIMARY KEY (id)
) ENGINE=InnoDB COMMENT='订单表';

CREATE INDEX idx_orders ON orders (status);
ALTER TABLE orders ADD COLUMN note TEXT;
COMMENT ON COLUMN orders.note IS '备注';

CREATE OR REPLACE VIEW unpaid_orders AS
SELECT * FROM orders WHERE status = 0;

DELIMITER //
CREATE PROCEDURE cancel_order(IN order_id BIGINT)
BEGIN
  IF order_id IS NULL THEN
    SIGNAL SQLSTATE '45000';
  END IF;
  UPDATE orders SET status = 9 WHERE id = order_id;
END //
DELIMITER ;

CREATE OR REPLACE FUNCTION expire() RETURNS void AS $$
BEGIN
  DELETE FROM carts;
END;
$$ LANGUAGE plpgsql;

CREATE OR REPLACE PACKAGE BODY billing AS
  PROCEDURE close_month(m IN NUMBER) IS
  BEGIN
    NULL;
  END close_month;

  FUNCTION total RETURN NUMBER IS
  BEGIN
    RETURN 1;
  END;
END billing;
/

CREATE TRIGGER touched BEFORE UPDATE ON orders
FOR EACH ROW EXECUTE FUNCTION touch();

SELECT count(*) FROM orders;
