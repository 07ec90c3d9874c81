#include <stdio.h>

#define LIMIT 3
#define TOTAL(o) ((o)->total)

typedef struct order {
    long id;
} order_t;

enum status { NEW, PAID };

static int *cancel_order(struct order *order, int reason)
{
    if (reason)
        return NULL;
    return 0;
}

#ifdef REFUNDS
int refund(order_t *order) {
    return 1;
}
#endif

typedef int (*handler)(order_t *);
int declared(int a);
