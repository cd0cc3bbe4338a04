#include "api.h"
int use(void) { return api_open(); } //: calls src/unix/open.c::api_open, src/win/open.c::api_open
