/* Names in brackets, so that macros of the same name do not apply. */
typedef struct stack stack;

STACK_API int   (stack_top) (stack *s);
STACK_API void  (stack_push) (stack *s, int value);
int (stack_size)(const stack *s);
