function result = carom_read(file, quantity)
% CAROM_READ  Reads a result file of Carom in MATLAB or Octave; docs/guide/results.md says what it relies on.
%
%   result = carom_read(FILE)          what is in the file: time, status, model, settings, groups, events
%   values = carom_read(result, NAME)  a quantity as a column ('joint:pin.fx'), a group as samples x components
%
% For one quantity alone, carom_read(FILE, NAME) does. All that is read is compared with its checksums. Octave needs
% h5read, made from h5read.cc beside this file; MATLAB has it. Of a run that goes on, or was killed, MATLAB reads a copy
% after `h5clear -s COPY`.
  find_h5read();
  if isstruct(file)
    header = file;
  else
    header = read_header(file);
  end
  if nargin < 2
    result = header;
    result.events = read_events(header.file, header);
  else
    result = read_quantity(header.file, header, quantity);
  end
end

function find_h5read()
  if exist('h5readatt'), return, end
  made = fullfile(fileparts(mfilename('fullpath')), 'h5read.oct');
  if ~exist(made, 'file')
    error('carom:h5read', ['there is no h5read; make it in the folder of carom_read.m: ' ...
          'mkoctfile $(pkg-config --cflags --libs hdf5-serial) h5read.cc (Debian: octave-dev, libhdf5-dev)']);
  end
  for name = {'h5read', 'h5readatt', 'h5info'}
    autoload(name{1}, made);
  end
end

function header = read_header(file)
  header.file = file;
  header.format = plain(h5readatt(file, '/', 'format'));
  if ~strcmp(header.format, 'carom result')
    error('carom:format', '%s: not a result of Carom', file);
  end
  header.format_version = double(h5readatt(file, '/', 'format_version'));
  if header.format_version ~= 1
    error('carom:format', '%s: format version %d; this reader knows version 1', file, header.format_version);
  end
  for name = {'version', 'model', 'model_file', 'settings', 'status'}
    header.(name{1}) = plain(h5readatt(file, '/', name{1}));
  end
  header.seed = h5readatt(file, '/', 'seed');
  names = list(h5readatt(file, '/samples', 'groups'));
  header.groups = struct('name', {}, 'components', {}, 'units', {}, 'meanings', {});
  for k = 1:numel(names)
    header.groups(k) = described(file, dataset_of(names{k}), names{k}, '');
  end
  kinds = list(h5readatt(file, '/events', 'kinds'));
  header.event_kinds = header.groups(1:0);
  for k = 1:numel(kinds)
    header.event_kinds(k) = described(file, '/events', kinds{k}, [kinds{k} ' ']);
  end
  times = h5read(file, '/time');
  header.time = times(1:written(times));
  compare(file, 'time', header.time', 'checksums', numel(names) + 1, header);
end

% Rows that a writer had set aside when it was killed have no time.
function count = written(times)
  count = max([0; find(~isnan(times(:)))]);
end

function values = read_quantity(file, header, quantity)
  group = find(strcmp({header.groups.name}, quantity));
  component = ':';
  if isempty(group)
    dot = find(quantity == '.', 1, 'last');
    group = find(strcmp({header.groups.name}, quantity(1:dot - 1)));
    if isempty(dot) || isempty(group) || ~any(strcmp(header.groups(group).components, quantity(dot + 1:end)))
      error('carom:quantity', '%s: not in %s', quantity, file);
    end
    component = find(strcmp(header.groups(group).components, quantity(dot + 1:end)));
  end
  rows = h5read(file, dataset_of(header.groups(group).name));  % components x samples: columns are counted first
  if size(rows, 2) < numel(header.time)
    error('carom:damaged', '%s: damaged: samples of %s are missing', file, quantity);
  end
  rows = rows(:, 1:numel(header.time));
  compare(file, header.groups(group).name, rows, 'checksums', group, header);
  values = rows(component, :)';
end

function events = read_events(file, header)
  rows = h5read(file, '/events');
  count = written(rows.time);
  kinds = texts(rows.kind, numel(rows.time));
  subjects = texts(rows.subject, numel(rows.time));
  values = reshape(rows.values, [], numel(rows.time));
  bytes = [reshape(typecast(rows.time(:), 'uint8'), 8, []); fixed(kinds, 32); fixed(subjects, 128); ...
           reshape(typecast(values(:), 'uint8'), 8 * size(values, 1), [])];
  bytes = bytes(:, 1:count);
  compare(file, 'events', reshape(typecast(bytes(:), 'double'), size(bytes, 1) / 8, []), 'event_checksums', 1, header);
  events = struct('time', {}, 'kind', {}, 'subject', {}, 'values', {});
  for k = 1:count
    named = struct();
    kind = find(strcmp({header.event_kinds.name}, kinds{k}));
    for n = 1:numel(header.event_kinds(kind).components)
      named.(header.event_kinds(kind).components{n}) = values(n, k);
    end
    events(k) = struct('time', rows.time(k), 'kind', kinds{k}, 'subject', subjects{k}, 'values', named);
  end
end

% Blocks of rows with their checksums, which is one number for each; an unfinished block of a run that was killed has none.
function compare(file, what, rows, where, column, header)
  if strcmp(where, 'checksums')
    size_of_block = h5info(file, '/time').ChunkSize(1);
  else
    size_of_block = h5info(file, '/events').ChunkSize(1);
  end
  try
    expected = h5read(file, ['/' where]);
  catch
    return  % files of versions that had none yet
  end
  count = size(rows, 2);
  full = floor(count / size_of_block);
  found = checksums(reshape(rows(:, 1:full * size_of_block), [], full));
  if full * size_of_block < count && ~strcmp(header.status, 'running')
    left = rows(:, full * size_of_block + 1:end);
    found = [found; checksums(left(:))];
  end
  expected = expected(column, 1:numel(found))';
  wrong = find(found ~= expected, 1);
  if ~isempty(wrong)
    error('carom:damaged', '%s: damaged: %s, from row %d on', file, what, (wrong - 1) * size_of_block + 1);
  end
end

% 64 bits for each column of doubles; all columns at once, number by number.
function value = checksums(columns)
  [words, lanes] = size(columns);
  columns = reshape(typecast(columns(:), 'uint64'), words, lanes);
  factor = number64('9e3779b9', '7f4a7c15');
  value = times(repmat(uint64(8 * words), 1, lanes), factor);
  for k = 1:words
    turned = bitor(bitshift(value, 29), bitshift(value, -35));
    value = times(bitxor(turned, columns(k, :)), factor);
    value = bitxor(value, bitshift(value, -32));
  end
  value = times(bitxor(value, bitshift(value, -33)), number64('ff51afd7', 'ed558ccd'));
  value = bitxor(value, bitshift(value, -33))';
end

function value = number64(high, low)
  value = bitor(bitshift(uint64(hex2dec(high)), 32), uint64(hex2dec(low)));
end

% The lower 64 bits of a product; integers of MATLAB and Octave stop at the largest instead.
function product = times(value, factor)
  mask = uint64(4294967295);
  low = bitand(value, mask);
  high = bitshift(value, -32);
  factor_low = bitand(factor, mask);
  factor_high = bitshift(factor, -32);
  first = low * factor_low;
  upper = bitshift(first, -32) + bitand(low * factor_high, mask) + bitand(high * factor_low, mask);
  product = bitor(bitshift(bitand(upper, mask), 32), bitand(first, mask));
end

function one = described(file, object, name, prefix)
  one = struct('name', name, 'components', {list(h5readatt(file, object, [prefix 'components']))}, ...
               'units', {list(h5readatt(file, object, [prefix 'units']))}, ...
               'meanings', {list(h5readatt(file, object, [prefix 'meanings']))});
end

% A group's name is escaped where HDF5 would take it for a path.
function path = dataset_of(group)
  name = strrep(strrep(group, '%', '%25'), '/', '%2F');
  if strcmp(name, '.'), name = '%2E'; end
  path = ['/samples/' name];
end

% Texts lie in a fixed number of bytes, filled up with zeros.
function text = plain(text)
  if iscell(text), text = text{1}; end
  text = text(1:max([0, find(text ~= 0, 1, 'last')]));
end

function cells = list(texts)
  if ischar(texts), texts = cellstr(texts); end
  cells = cell(1, numel(texts));
  for k = 1:numel(texts), cells{k} = plain(texts{k}(:)'); end
end

% Of a compound: cells, or characters with a text in each column (MATLAB) .
function cells = texts(values, count)
  if ischar(values)
    if size(values, 2) == count, values = values'; end
    values = mat2cell(values, ones(1, size(values, 1)), size(values, 2));
  end
  cells = list(values);
end

function bytes = fixed(cells, size_of_each)
  bytes = zeros(size_of_each, numel(cells), 'uint8');
  for k = 1:numel(cells)
    raw = unicode2native(cells{k}, 'UTF-8');
    bytes(1:numel(raw), k) = raw(:);
  end
end
