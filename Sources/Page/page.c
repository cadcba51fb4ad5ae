#include "page.h"

// The compiler embeds files in every version of the language, and says that it is early.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "files/index.html"
};
static const unsigned char actions_js[] = {
#embed "files/actions.js"
};
static const unsigned char api_js[] = {
#embed "files/api.js"
};
static const unsigned char dom_js[] = {
#embed "files/dom.js"
};
static const unsigned char keys_js[] = {
#embed "files/keys.js"
};
static const unsigned char list_js[] = {
#embed "files/list.js"
};
static const unsigned char main_js[] = {
#embed "files/main.js"
};
static const unsigned char pairing_js[] = {
#embed "files/pairing.js"
};
static const unsigned char prefs_js[] = {
#embed "files/prefs.js"
};
static const unsigned char sheet_js[] = {
#embed "files/sheet.js"
};
static const unsigned char sky_js[] = {
#embed "files/sky.js"
};
static const unsigned char skyview_js[] = {
#embed "files/skyview.js"
};
static const unsigned char slots_js[] = {
#embed "files/slots.js"
};
static const unsigned char springs_js[] = {
#embed "files/springs.js"
};
static const unsigned char state_js[] = {
#embed "files/state.js"
};
static const unsigned char style_css[] = {
#embed "files/style.css"
};
static const unsigned char text_js[] = {
#embed "files/text.js"
};
static const unsigned char ways_js[] = {
#embed "files/ways.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct page_file files[] = {
    FILE("index.html", index_html),
    FILE("actions.js", actions_js),
    FILE("api.js", api_js),
    FILE("dom.js", dom_js),
    FILE("keys.js", keys_js),
    FILE("list.js", list_js),
    FILE("main.js", main_js),
    FILE("pairing.js", pairing_js),
    FILE("prefs.js", prefs_js),
    FILE("sheet.js", sheet_js),
    FILE("sky.js", sky_js),
    FILE("skyview.js", skyview_js),
    FILE("slots.js", slots_js),
    FILE("springs.js", springs_js),
    FILE("state.js", state_js),
    FILE("style.css", style_css),
    FILE("text.js", text_js),
    FILE("ways.js", ways_js),
};

struct page_file page_file_at(unsigned long index) {
    struct page_file none = {0, 0, 0};
    return index < sizeof files / sizeof *files ? files[index] : none;
}
