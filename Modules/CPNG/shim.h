#pragma once

#include <stddef.h>
#include <stdint.h>

// What is used of libpng's simplified interface, as <png.h> of every libpng 1.6 declares it (libpng-manual §6). The program is
// built without that header, and looks for the library when it is needed.
typedef struct {
    void *opaque;
    uint32_t version;
    uint32_t width;
    uint32_t height;
    uint32_t format;
    uint32_t flags;
    uint32_t colormap_entries;
    uint32_t warning_or_error;
    char message[64];
} png_image;

typedef struct {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
} png_color;

enum { PNG_IMAGE_VERSION = 1, PNG_FORMAT_GRAY = 0 };

typedef int (*png_begin_read_from_memory)(png_image *image, const void *memory, size_t size);
typedef int (*png_finish_read)(
    png_image *image, const png_color *background, void *buffer, int32_t row_stride, void *colormap);
typedef void (*png_free)(png_image *image);
