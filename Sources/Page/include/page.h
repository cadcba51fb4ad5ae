#ifndef CLAWRADAR_PAGE_H
#define CLAWRADAR_PAGE_H

/// A file of the page, as it was when this was compiled.
struct page_file {
    /// Its name; null of the one after the last.
    const char *name;
    const unsigned char *bytes;
    unsigned long size;
};

/// Returns the file at an index, and one without a name after the last.
struct page_file page_file_at(unsigned long index);

#endif
