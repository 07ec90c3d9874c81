import api from './api'

export const STATUS = { new: 'New' }

export default {
  name: 'OrderList',
  data() {
    return { orders: [] }
  },
  computed: {
    total() {
      return this.orders.length
    },
  },
  methods: {
    async cancel(id) {
      await api.cancel(id)
    },
    refund: function (id) {
      return api.refund(id)
    },
  },
}

module.exports.expire = function () {
  return 1
}

Order.prototype.pay = function (amount) {
  return amount
}

class Cart extends Base {
  #lines = []
  add = (line) => {
    this.#lines.push(line)
  }
  static of() { return new Cart() }
}

const mutations = {
  SET_ORDER(state, order) {
    state.order = order
  },
}

$(function () {
  function bind() { return 1 }
})
