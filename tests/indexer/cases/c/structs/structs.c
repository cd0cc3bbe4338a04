typedef struct { int id; } user_t;
struct node { struct node* next; user_t* user; void (*done)(struct node*); };
typedef struct node node_t;
enum color { RED, GREEN };
union value { int i; float f; };

static void finish(struct node* n) {}

user_t* first(node_t* n) {
  n->done = finish; //: references node.done, finish
  n->next->done(n); //: calls finish; references node.next, node.done
  enum color c = GREEN; //: references color, color.GREEN
  return n->next->user; //: references node.next, node.user
}

int identify(node_t* n) {
  return first(n)->id; //: calls first; references user_t.id
}
