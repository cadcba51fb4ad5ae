internal import Glibc

/// A C library that is looked for when it is needed, so that the program starts without it, and faster.
///
/// It stays loaded: what it has given may be in use.
package struct SharedLibrary {
    private let handle: UnsafeMutableRawPointer

    /// Loads a library by the name that its binary interface has, such as `libpng16.so.16`; `nil` if it is not there.
    package init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        self.handle = handle
    }

    /// Returns a function of the library; `nil` if it has none of that name.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - type: Its type, which has to be that of the library's header: nothing checks it.
    package func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: type) }
    }
}
