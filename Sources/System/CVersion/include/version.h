#pragma once

// Returns the contents of VERSION, including the line end.
const char *version_text(void);
