<?php

namespace App\Services;

use App\Models\Order;

const LIMIT = 3;

/** Orders. */
class OrderService
{
    public function __construct(private Gateway $gateway) {}

    /** 取消订单 */
    public function cancel(int $id): void
    {
        if ($id === 0) {
            throw new Refused('已支付的订单不能取消');
        }
    }

    protected static function total(): int
    {
        return 1;
    }
}

trait Payable
{
    public function pay() { return 1; }
}

enum Status: string
{
    case New = 'new';
    public function label(): string { return '新建'; }
}

function helper_total($order)
{
    return $order;
}

if (!function_exists('shop_open')) {
    function shop_open() { return true; }
}
