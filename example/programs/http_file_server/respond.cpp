// Copyright 2026 The weft authors. Distributed under the Boost Software License, Version 1.0.
// SPDX-License-Identifier: BSL-1.0

#include "respond.hpp"

#include "file_body.hpp"
#include "mime_type.hpp"
#include "target.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace example
{

namespace
{

/// How an answer has to look, whatever it says.
struct answer_form
{
    unsigned version = 11;
    bool keep_alive = false;
    bool head_only = false;
};

struct opened_file
{
    beast::file_posix file;
    std::uint64_t size = 0;
    std::string tag;
};

/// Now, as the Date field wants it. strftime is safe here: the program keeps the "C" locale.
std::string_view format_date(std::array<char, 32>& text)
{
    std::time_t const now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    auto const size = std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
    return {text.data(), size};
}

template <class Body>
http::message_generator finish(http::response<Body> message, answer_form form)
{
    std::array<char, 32> date;
    message.version(form.version);
    message.set(http::field::date, format_date(date));
    message.keep_alive(form.keep_alive);
    if (!form.head_only)
        return message;
    // The fields of the full answer, its length among them, without the body itself.
    return http::response<http::empty_body>{std::move(message.base())};
}

http::response<http::string_body> make_page(http::status status)
{
    http::response<http::string_body> page;
    page.result(status);
    page.set(http::field::content_type, "text/plain; charset=utf-8");
    page.body() = std::to_string(page.result_int()) + ' ' + std::string{page.reason()} + '\n';
    page.content_length(page.body().size());
    return page;
}

http::status status_of_open_error(int error)
{
    switch (error)
    {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
        return http::status::not_found;
    case EACCES:
    case EPERM:
        return http::status::forbidden;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
        return http::status::service_unavailable;
    default:
        return http::status::internal_server_error;
    }
}

/// Changes when the file does: its time of modification and its size, in quotes.
std::string make_tag(struct stat const& info)
{
    std::array<char, 64> text;
    auto const size = std::snprintf(text.data(), text.size(), "\"%llx.%lx.%llx\"",
        static_cast<unsigned long long>(info.st_mtim.tv_sec),
        static_cast<unsigned long>(info.st_mtim.tv_nsec),
        static_cast<unsigned long long>(info.st_size));
    return {text.data(), static_cast<std::size_t>(size)};
}

/// Opens a regular file. Returns ok, moved_permanently for a directory, or what is wrong.
http::status open_file(std::string const& path, opened_file& opened)
{
    // What a path leads to is asked of the open file, so that it cannot change in between. A FIFO
    // that nobody writes to would block open() without O_NONBLOCK; regular files ignore it.
    int const descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return status_of_open_error(errno);
    opened.file.native_handle(descriptor);

    struct stat info;
    if (::fstat(descriptor, &info) != 0)
        return http::status::internal_server_error;
    if (S_ISDIR(info.st_mode))
        return http::status::moved_permanently;
    if (!S_ISREG(info.st_mode))
        return http::status::forbidden;
    opened.size = static_cast<std::uint64_t>(info.st_size);
    opened.tag = make_tag(info);
    return http::status::ok;
}

/// Whether the client says that it has this very state of the file.
bool is_known(request const& asked, std::string const& tag)
{
    auto const known = asked[http::field::if_none_match];
    return known == "*" || known.find(tag) != known.npos;
}

http::message_generator send_file(
    request const& asked, std::string const& path, opened_file opened, answer_form form)
{
    if (is_known(asked, opened.tag))
    {
        http::response<http::empty_body> answer{http::status::not_modified, form.version};
        answer.set(http::field::etag, opened.tag);
        return finish(std::move(answer), form);
    }
    http::response<file_body> answer;
    answer.set(http::field::content_type, mime_type(path));
    answer.set(http::field::etag, opened.tag);
    answer.content_length(opened.size);
    answer.body().file = std::move(opened.file);
    answer.body().size = opened.size;
    return finish(std::move(answer), form);
}

} // namespace

http::message_generator refuse(http::status status)
{
    return finish(make_page(status), {});
}

site::site(std::string root) : root_(std::move(root))
{
    std::error_code error;
    if (!std::filesystem::is_directory(root_, error))
        throw std::runtime_error("no such directory: " + root_);
    if (::access(root_.c_str(), R_OK | X_OK) != 0)
        throw std::runtime_error("directory cannot be read: " + root_);
}

http::message_generator site::respond(request const& asked, bool keep_alive) const
{
    answer_form const form{asked.version(), keep_alive, asked.method() == http::verb::head};

    // A server must not guess which host a request means, even if it serves only one.
    if (asked.version() >= 11 && asked.count(http::field::host) != 1)
        return finish(make_page(http::status::bad_request), form);

    if (asked.method() != http::verb::get && asked.method() != http::verb::head)
    {
        auto page = make_page(http::status::method_not_allowed);
        page.set(http::field::allow, "GET, HEAD");
        return finish(std::move(page), form);
    }

    auto path = decode_target(asked.target());
    if (!path)
        return finish(make_page(http::status::bad_request), form);
    if (path->ends_with('/'))
        *path += "index.html";

    opened_file opened;
    auto const status = open_file(root_ + *path, opened);
    if (status == http::status::ok)
        return send_file(asked, *path, std::move(opened), form);

    auto page = make_page(status);
    if (status == http::status::moved_permanently)
        page.set(http::field::location, with_trailing_slash(asked.target()));
    return finish(std::move(page), form);
}

} // namespace example
