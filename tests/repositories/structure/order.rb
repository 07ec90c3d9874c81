require 'json'

module Shop
  class Order < ApplicationRecord
    LIMIT = 3
    STATUSES = %w[new paid].freeze

    belongs_to :customer
    scope :unpaid, -> { where(paid: false) }

    # Cancels an unpaid order.
    def cancel(reason:)
      raise Refused if paid?
      update!(cancelled: true)
    end

    def self.expire
      unpaid.each(&:cancel)
    end

    class << self
      def open_all
        1
      end
    end

    private

    def total
      1
    end
  end
end

namespace :orders do
  task expire: :environment do
    Shop::Order.expire
  end
end
