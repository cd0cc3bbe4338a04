#ifndef QUEUE_H
#define QUEUE_H
#ifdef __cplusplus
extern "C" {
#endif
typedef struct queue queue_t;
QUEUE_API int queue_push(queue_t* q, int value); //: references queue_t, src/queue.c::queue_push
int queue_missing(queue_t* q);
static inline int queue_twice(queue_t* q) {
  return queue_push(q, 1) + queue_push(q, 2); //: calls src/queue.c::queue_push
}
#ifdef __cplusplus
}
#endif
#endif
