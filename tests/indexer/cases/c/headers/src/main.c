#include <queue.h> //: imports include/queue.h

static int grow(void) { return 1; }

int main(void) {
  queue_push(NULL, grow()); //: calls src/queue.c::queue_push, grow
  queue_twice(NULL); //: calls include/queue.h::queue_twice
  queue_missing(NULL); //: calls include/queue.h::queue_missing
  printf("x"); //: calls -
  return 0;
}
