# shellcheck shell=bash
# How programs are built that go to other machines: from what is committed, and small. Read after lib.sh.

around=()

# committed FOLDER — makes of a folder the source as it is committed, which knows its commit. A file that has not changed
# keeps its time, and so is not compiled again.
committed() {
  need rsync:rsync
  local new
  new=$(mktemp -d)
  git archive HEAD | tar -x -C "$new"
  mkdir -p "$1"
  rsync --recursive --links --perms --checksum --delete --exclude /Package.resolved "$new/" "$1/"
  rm -rf "$new"
  # The packages it depends on are those of this checkout.
  if [[ -e Package.resolved ]]; then cp Package.resolved "$1"; fi
}

# make_root ROOT BINARY — makes a root with a program, the libraries that ldd lists, and a folder for /proc.
make_root() {
  local root=$1 library
  mkdir -p "$root/proc"
  cp "$2" "$root/clawradar"
  while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done < <(ldd "$2" | grep -oE '/[^ ]+')
}

# build_small SOURCE SCRATCH ARGS… — after need_swift and need gcc and nm, builds the tool in release with Swift's libraries
# linked in. Of 99 MB, these flags leave 45:
# * Swift links such programs with -export-dynamic, and so nothing that has a name could be left out.
# * What nothing refers to is left out by functions (-function-sections). Functions of the same code are one where nobody compares
#   their addresses (--icf=safe); everywhere (--icf=all) would save 1.6 MB more, and break what does, such as libdispatch.
#   Strings that end alike are one, too (-O2).
# * Swift and C are compiled for size, which halves the C of BoringSSL; but not the four modules that read packets and keep the
#   picture (package.d/swiftc): for size, the DNS codec would read 15 % fewer packets in a second, and write 35 % fewer.
# * The tables of ICU: see icu.c.
# * Relative relocations, of which there are 150,000, take 2 bits each instead of 24 bytes, which only lld does.
# * Nothing here throws or catches as C++ does, so nothing unwinds a stack: see left-out.ld.
# * The C++ library that Swift's own needs is linked in, as far as it is used: loading it takes a tenth of a start.
# Arguments are for `swift build`; the array `around` is a command that runs it.
build_small() {
  local source=$1 scratch=$2 folder data small archive
  shift 2
  # The formatters of Foundation would trap without the tables.
  if whole_foundation "$source/Sources"; then
    echo "These import Foundation, whose tables are not linked in: see scripts/package.d/icu.c" && return 1
  fi
  folder=$(swift -print-target-info -static-stdlib | sed -n 's/.*"runtimeResourcePath" *: *"\(.*\)".*/\1/p')
  data=$(nm "$folder/linux/lib_FoundationICU.a" 2>/dev/null | sed -n 's/.* R \(icudt[0-9]*_dat\)$/\1/p')
  small=(-Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker -O2 -Xlinker --icf=safe
    -Xlinker -z -Xlinker pack-relative-relocs
    -Xswiftc -Osize -Xcc -Os -Xswiftc -Xfrontend -Xswiftc -function-sections
    -Xlinker --no-eh-frame-hdr -Xlinker "$PWD/scripts/package.d/left-out.ld"
    -Xlinker --as-needed -Xlinker "$(gcc -print-file-name=libgcc_eh.a)")
  # The linker takes the first library that it finds, and this folder contains only archives. It is passed through the
  # compiler, because folders named with -Xlinker are searched after the system's.
  mkdir -p "$scratch/archives" || return
  archive=$(gcc -print-file-name=libstdc++.a)
  [[ $archive == /* ]] || { echo "there is no libstdc++.a, which Debian has in libstdc++-12-dev" && return 1; }
  ln -sf "$archive" "$scratch/archives/libstdc++.a" || return
  small+=(-Xswiftc "-L$scratch/archives")
  if [[ -n $data ]]; then
    mkdir -p "$scratch"
    gcc -c -DICU_DATA="__wrap_$data" -o "$scratch/icu.o" scripts/package.d/icu.c || return
    small+=(-Xlinker "--wrap=$data" -Xlinker "$scratch/icu.o")
  fi
  # SwiftPM has one set of flags for all modules: package.d/swiftc changes them for four.
  CLAWRADAR_SWIFTC=$(dirname -- "$(readlink -f -- "$(type -P swift)")")/swiftc
  export CLAWRADAR_SWIFTC
  # Without the prefix maps the bytes would depend on the name of this folder, which the debugger does not need.
  SWIFT_EXEC=$PWD/scripts/package.d/swiftc SWIFT_DETERMINISTIC_HASHING=1 "${around[@]}" \
    swift build --package-path "$source" --scratch-path "$scratch" -c release \
    --product clawradar --static-swift-stdlib --disable-local-rpath -Xswiftc -no-toolchain-stdlib-rpath "${small[@]}" \
    -Xswiftc -file-prefix-map -Xswiftc "${scratch%/*}=." -Xcc "-ffile-prefix-map=${scratch%/*}=." "$@"
}
