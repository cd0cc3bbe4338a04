#include "api.h" //: imports api.h
int unix_use(void) { return api_open(); } //: calls src/unix/open.c::api_open
