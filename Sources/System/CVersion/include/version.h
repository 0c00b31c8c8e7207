#pragma once

// What VERSION says, with the end of its line.
const char *version_text(void);
