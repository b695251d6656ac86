// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#ifndef WEFT_HANDLER_TRACKING_HPP
#define WEFT_HANDLER_TRACKING_HPP

// Asio's handler tracking, into the rings of the flight recorder (weft/trace.hpp): the handlers of
// Asio's operations are drawn with the names of the operations, and with the places in the source
// that composed operations say they were started at.
//
// Not for an include: the whole program, and weft itself, are compiled with
//
//     -DBOOST_ASIO_CUSTOM_HANDLER_TRACKING='<weft/handler_tracking.hpp>'
//
// so that Asio includes it. Each operation is larger by four words then. doc/abi.md says what else
// that means.

#include <weft/trace/tracked_handler.hpp>

// What Asio expects of this header. Only handlers are recorded: what becomes of an operation before
// is the reactor's business, and what is cancelled completes.
#define BOOST_ASIO_INHERIT_TRACKED_HANDLER : public ::weft::detail::tracked_handler
#define BOOST_ASIO_ALSO_INHERIT_TRACKED_HANDLER , public ::weft::detail::tracked_handler
#define BOOST_ASIO_HANDLER_TRACKING_INIT (void)0
#define BOOST_ASIO_HANDLER_LOCATION(args)                                                          \
    ::weft::detail::tracked_location const weft_tracked_location args
#define BOOST_ASIO_HANDLER_CREATION(args) ::weft::detail::tracked_location::creation args
#define BOOST_ASIO_HANDLER_COMPLETION(args)                                                        \
    ::weft::detail::tracked_completion weft_tracked_completion args
#define BOOST_ASIO_HANDLER_INVOCATION_BEGIN(args) weft_tracked_completion.invocation_begin args
#define BOOST_ASIO_HANDLER_INVOCATION_END weft_tracked_completion.invocation_end()
#define BOOST_ASIO_HANDLER_OPERATION(args) (void)0
#define BOOST_ASIO_HANDLER_REACTOR_REGISTRATION(args) (void)0
#define BOOST_ASIO_HANDLER_REACTOR_DEREGISTRATION(args) (void)0
#define BOOST_ASIO_HANDLER_REACTOR_READ_EVENT 1
#define BOOST_ASIO_HANDLER_REACTOR_WRITE_EVENT 2
#define BOOST_ASIO_HANDLER_REACTOR_ERROR_EVENT 4
#define BOOST_ASIO_HANDLER_REACTOR_EVENTS(args) (void)0
#define BOOST_ASIO_HANDLER_REACTOR_OPERATION(args) (void)0

#endif // WEFT_HANDLER_TRACKING_HPP
