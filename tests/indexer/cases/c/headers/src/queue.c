#include "queue.h" //: imports include/queue.h
#include <stdlib.h>

struct queue { int size; };

static int grow(queue_t* q) { return q->size; } //: references? include/queue.h::queue_t, queue.size

int queue_push(queue_t* q, int value) {
  if (grow(q)) //: calls grow
    return -1;
  return 0;
}
