using System;

namespace Shop.Orders;

/// <summary>订单</summary>
public class OrderService : IOrderService
{
    public string Name { get; set; }

    public OrderService(Gateway gateway) { }

    [HttpPost("cancel")]
    public async Task<bool> Cancel(long id)
    {
        if (id == 0) return false;
        return true;
    }

    public event EventHandler Changed;
    public delegate void Done(int id);
}

public record Line(string Sku, int Count);

public enum Status
{
    [Description("新建")]
    New,
}

public interface IOrderService
{
    Task<bool> Cancel(long id);
}

public struct Money { public decimal Amount; }
