#include "main_actor.h"

#include <stdbool.h>

// Two hooks of Swift's runtime (libswift_Concurrency, `ConcurrencyHooks.def`). They are asked at each job, so that they count
// from now on.
typedef struct {
    void *identity;
    uintptr_t conformance;
} executor;
typedef __attribute__((swiftcall)) executor (*get_original)(void);
typedef __attribute__((swiftcall)) bool (*is_original)(executor);
extern __attribute__((swiftcall)) executor (*swift_task_getMainExecutor_hook)(get_original);
extern __attribute__((swiftcall)) bool (*swift_task_isMainExecutor_hook)(executor, is_original);

static executor own;

static __attribute__((swiftcall)) executor get(get_original original) {
    (void)original;
    return own;
}

static __attribute__((swiftcall)) bool is_main(executor asked, is_original original) {
    (void)original;
    return asked.identity == own.identity;
}

void main_actor_serve(void *identity, uintptr_t conformance) {
    own = (executor){identity, conformance};
    swift_task_isMainExecutor_hook = is_main;
    swift_task_getMainExecutor_hook = get;
}
