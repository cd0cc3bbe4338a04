#include "../../api.h" //: imports api.h
int api_open(void) { return 1; }
