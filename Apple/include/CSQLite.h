// This system's SQLite is newer than the one that the oldest supported iOS brings (3.36), so what came after is marked.
#pragma once
#include <sqlite3.h>

#define SINCE_SQLITE_3_39 __attribute__((availability(ios, introduced = 16.0), availability(macos, introduced = 13.0)))
sqlite3_int64 sqlite3_changes64(sqlite3 *) SINCE_SQLITE_3_39;
sqlite3_int64 sqlite3_total_changes64(sqlite3 *) SINCE_SQLITE_3_39;
int sqlite3_error_offset(sqlite3 *) SINCE_SQLITE_3_39;
const char *sqlite3_db_name(sqlite3 *, int) SINCE_SQLITE_3_39;
