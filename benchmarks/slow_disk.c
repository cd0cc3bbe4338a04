/* Loaded before libc: every fdatasync takes SLOW_DISK_MS longer, as on a disk that must turn or be asked
   over a network. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int fdatasync(int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    long ms = atol(getenv("SLOW_DISK_MS"));
    struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    int result = real(descriptor);
    nanosleep(&pause, NULL);
    return result;
}
