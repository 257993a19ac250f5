// SPDX-License-Identifier: Apache-2.0
// Python's values as JSON, and back: settings, inputs and scenes pass here, on their way to the readers of
// the library.
#pragma once
#include "bindings/python/words.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace limber::python {

// Numbers, texts, None, lists, arrays and dictionaries, of any depth up to 64. Throws InputError at `where`.
nlohmann::json json_of(const py::handle& value, const std::string& where);
// Keyword arguments: what is None was not given.
nlohmann::json json_of_words(const py::dict& words, const std::string& where);

py::object python_of(const nlohmann::json& json);

}  // namespace limber::python
