#pragma once

// Linking this replaces the program's `mmap`: see huge_pages.c. There is nothing to call.
