// Embind's list of types, with those alone that the bindings use. The library's own also knows strings, memory views,
// values of JavaScript and integers of every width; what reads them was 2.1 kB of the download (gzip, wasm and script).
// A type that is missing here is named by Embind when the core starts.

#include <emscripten/bind.h>

// For Embind's message about a type that is missing; it frees what it gets, which is nobody's. The core has no C heap.
extern "C" const char* __getTypeName(const void*) { return "not in embind_types.cpp"; }
extern "C" void free(void*) {}

namespace {

emscripten::internal::InitFunc* all_bindings = nullptr;

}  // namespace

// The library calls these by name.
extern "C" void _embind_register_bindings(emscripten::internal::InitFunc* bindings) {
  bindings->next = all_bindings;
  all_bindings = bindings;
}

extern "C" void _embind_initialize_bindings() {
  for (auto* bindings = all_bindings; bindings != nullptr; bindings = bindings->next) bindings->init_func();
}

EMSCRIPTEN_BINDINGS(types) {
  using namespace emscripten::internal;  // NOLINT(google-build-using-namespace): as the macro expects
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_float(TypeID<double>::get(), "double", sizeof(double));
}
