// Stands in for the tables of ICU, which are 34 MB, as the stubdata.cpp of ICU does: a table of contents without entries.
// They come with Foundation, which GRDB and Yams import, and are asked only by its formatters of dates and numbers, which trap
// without them. Nothing here has any: scripts/package.d/release.sh makes sure of that.
#include <stdint.h>

__attribute__((aligned(16))) const struct {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t size, reserved;
    uint8_t is_big_endian, charset, size_of_char, reserved_byte;
    uint8_t format[4], format_version[4], data_version[4];
    uint8_t padding[8];
    uint32_t count, reserved_word;
} ICU_DATA = {
    .header_size = 32, .magic = {0xDA, 0x27}, .size = 20, .size_of_char = 2, .format = "ToCP", .format_version = {1},
};
