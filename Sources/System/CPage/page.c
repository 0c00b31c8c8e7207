#include "page.h"

// All our compilers support `#embed`, in any C standard mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "../../Command/ThumbturnPlayground/Page/page.html"
};
static const unsigned char script[] = {
#embed "../../Command/ThumbturnPlayground/Page/page.js"
};
static const unsigned char style[] = {
#embed "../../Command/ThumbturnPlayground/Page/page.css"
};
static const unsigned char tours[] = {
#embed "../../Command/ThumbturnPlayground/Page/tours.json"
};

page_file page_html(void) { return (page_file){html, sizeof html}; }
page_file page_script(void) { return (page_file){script, sizeof script}; }
page_file page_style(void) { return (page_file){style, sizeof style}; }
page_file page_tours(void) { return (page_file){tours, sizeof tours}; }
