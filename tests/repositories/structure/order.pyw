"""Orders."""

from django.db import models

LIMIT = 3


# What a customer bought.
class Order(models.Model):
    """An order."""

    status = models.CharField(max_length=10)

    class Meta:
        verbose_name = "订单"

    @property
    def total(self):
        return sum(line.price for line in self.lines.all())

    # An order that is paid stays.
    async def cancel(self, reason):
        if self.status == "paid":
            raise ValueError("paid")

        def undo():
            return None

        return undo


if LIMIT:

    def expire():
        return None


class Refused(Exception):
    """Not allowed."""
