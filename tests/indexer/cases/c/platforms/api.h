int api_open(void); //: references src/unix/open.c::api_open, src/win/open.c::api_open
