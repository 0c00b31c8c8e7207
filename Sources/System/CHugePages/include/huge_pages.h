#pragma once

// A program that this is linked into has an `mmap` of its own: see huge_pages.c. There is nothing to call.
