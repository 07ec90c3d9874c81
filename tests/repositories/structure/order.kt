package shop

const val LIMIT = 3

typealias Orders = List<Order>

data class Order(val id: Long, val total: Int) {
    val isFree: Boolean
        get() = total == 0

    fun cancel(reason: String) {
        if (isFree) return
        repository.save(this)
    }

    companion object {
        fun of(id: Long) = Order(id, 0)
    }
}

enum class Status(val label: String) {
    NEW("新建") { override fun next() = PAID },
    PAID("已支付");
    open fun next(): Status = this
}

sealed interface Event

object Registry {
    fun find(id: Long): Order? = null
}

fun Order.refund(): Int {
    return total
}
