#include "stack.h"

int use(stack *s) {
  stack_push(s, 1);      //: calls stack.c::stack_push
  return stack_top(s) + stack_size(s);  //: calls stack.c::stack_top, stack.c::stack_size
}
