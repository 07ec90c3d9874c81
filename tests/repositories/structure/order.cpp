#include <string>

namespace shop {

class Order : public Base {
public:
    Order(long id) : id_(id) {}
    ~Order();
    bool cancel(const std::string& reason);
    int total() const { return 1; }
private:
    long id_;
};

struct Line { int count; };

enum class Status { New, Paid };

bool Order::cancel(const std::string& reason) {
    if (paid()) return false;
    return true;
}

template <typename T>
T most(T a, T b) {
    return a > b ? a : b;
}

using Orders = std::vector<Order>;

}  // namespace shop

extern "C" {
int shop_open(void) { return 1; }
}
