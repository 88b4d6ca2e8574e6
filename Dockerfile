# Slotwise with its command line: docker build -t slotwise . && docker run --rm -i slotwise run - < log.swf
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ make && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/slotwise-*.whl)[cli,parquet,plot]" && rm -r /wheels && useradd --create-home slotwise
USER slotwise
WORKDIR /home/slotwise
ENTRYPOINT ["slotwise"]
