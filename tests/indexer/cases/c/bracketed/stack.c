#include "stack.h"

struct stack { int at; int values[16]; };

STACK_API int stack_top (stack *s) {
  return s->values[stack_size(s)];  //: calls stack_size
}

STACK_API void stack_push (stack *s, int value) {
  s->values[s->at++] = value;
}

int (stack_size)(const stack *s) { return s->at; }
