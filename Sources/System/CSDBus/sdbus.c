#include "shim.h"
#include "lazy.h"
#include <errno.h>

// clang-format off
#define FUNCTIONS(F) \
    F(int, sd_bus_new, (sd_bus **bus), (bus), -ENOENT) \
    F(int, sd_bus_open_system, (sd_bus **bus), (bus), -ENOENT) \
    F(int, sd_bus_set_address, (sd_bus *bus, const char *address), (bus, address), -ENOENT) \
    F(int, sd_bus_set_bus_client, (sd_bus *bus, int is_client), (bus, is_client), -ENOENT) \
    F(int, sd_bus_start, (sd_bus *bus), (bus), -ENOENT) \
    F(sd_bus *, sd_bus_close_unref, (sd_bus *bus), (bus), NULL) \
    F(int, sd_bus_get_fd, (sd_bus *bus), (bus), -ENOENT) \
    F(int, sd_bus_get_events, (sd_bus *bus), (bus), -ENOENT) \
    F(int, sd_bus_get_timeout, (sd_bus *bus, uint64_t *microseconds), (bus, microseconds), -ENOENT) \
    F(int, sd_bus_process, (sd_bus *bus, sd_bus_message **message), (bus, message), -ENOENT) \
    F(int, sd_bus_wait, (sd_bus *bus, uint64_t microseconds), (bus, microseconds), -ENOENT) \
    F(int, sd_bus_add_filter, (sd_bus *bus, sd_bus_slot **slot, sd_bus_message_handler_t handler, void *context), \
      (bus, slot, handler, context), -ENOENT) \
    F(int, sd_bus_add_match, \
      (sd_bus *bus, sd_bus_slot **slot, const char *rule, sd_bus_message_handler_t handler, void *context), \
      (bus, slot, rule, handler, context), -ENOENT) \
    F(int, sd_bus_call_async, \
      (sd_bus *bus, sd_bus_slot **slot, sd_bus_message *message, sd_bus_message_handler_t handler, void *context, \
       uint64_t microseconds), \
      (bus, slot, message, handler, context, microseconds), -ENOENT) \
    F(int, sd_bus_message_new_method_call, \
      (sd_bus *bus, sd_bus_message **message, const char *destination, const char *path, const char *interface, \
       const char *member), \
      (bus, message, destination, path, interface, member), -ENOENT) \
    F(sd_bus_message *, sd_bus_message_unref, (sd_bus_message *message), (message), NULL) \
    F(int, sd_bus_message_append_basic, (sd_bus_message *message, char type, const void *value), \
      (message, type, value), -ENOENT) \
    F(int, sd_bus_message_read_basic, (sd_bus_message *message, char type, void *value), \
      (message, type, value), -ENOENT) \
    F(int, sd_bus_message_peek_type, (sd_bus_message *message, char *type, const char **contents), \
      (message, type, contents), -ENOENT) \
    F(int, sd_bus_message_enter_container, (sd_bus_message *message, char type, const char *contents), \
      (message, type, contents), -ENOENT) \
    F(int, sd_bus_message_exit_container, (sd_bus_message *message), (message), -ENOENT) \
    F(int, sd_bus_message_skip, (sd_bus_message *message, const char *types), (message, types), -ENOENT) \
    F(int, sd_bus_message_is_signal, (sd_bus_message *message, const char *interface, const char *member), \
      (message, interface, member), -ENOENT) \
    F(int, sd_bus_message_get_cookie, (sd_bus_message *message, uint64_t *cookie), (message, cookie), -ENOENT) \
    F(int, sd_bus_message_get_reply_cookie, (sd_bus_message *message, uint64_t *cookie), (message, cookie), -ENOENT) \
    F(const sd_bus_error *, sd_bus_message_get_error, (sd_bus_message *message), (message), NULL) \
    F(const char *, sd_bus_message_get_sender, (sd_bus_message *message), (message), NULL) \
    F(const char *, sd_bus_message_get_path, (sd_bus_message *message), (message), NULL) \
    F(const char *, sd_bus_message_get_interface, (sd_bus_message *message), (message), NULL) \
    F(const char *, sd_bus_message_get_member, (sd_bus_message *message), (message), NULL)
#define OTHERS(F)
// clang-format on

LAZY_LIBRARY("[{\"soname\":[\"libsystemd.so.0\"],\"feature\":\"bus\",\"priority\":\"required\"}]", FUNCTIONS, OTHERS,
             "libsystemd.so.0")
