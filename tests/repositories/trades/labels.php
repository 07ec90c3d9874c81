<?php
    public static $labels = [
        self::STATUS_PAID => '已支付',
        'refund_no' => '退款单号',
    ];
    case Paid = 'paid'; // 已支付
    /** @var string 备注 */
    private $remark;
