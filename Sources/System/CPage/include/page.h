#pragma once

#include <stddef.h>

// A file of the playground's page, as it was when the program was built.
typedef struct {
    const unsigned char *bytes;
    size_t count;
} page_file;

page_file page_html(void);
page_file page_script(void);
page_file page_style(void);
page_file page_tours(void);
