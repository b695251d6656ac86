# Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
# SPDX-License-Identifier: BSL-1.0

# What Doxygen reads of a header: without the inline namespace that names Asio's configuration, and without
# specialisations of Boost's traits. Lines keep their numbers.

/^inline namespace WEFT_ABI_NAMESPACE$/ { inline_head = 1; print ""; next }
inline_head && /^\{$/ { inline_head = 0; print ""; next }
/^\} \/\/ namespace WEFT_ABI_NAMESPACE$/ { print ""; next }

# A head of a specialisation is kept back until the next line says of what it is one.
/^template <>$/ { kept = 1; next }
kept && /^struct boost::/ { kept = 0; trait = 1; print ""; print ""; next }
kept { kept = 0; print "template <>" }
trait { print ""; if (/^\};$/) trait = 0; next }

{ print }
